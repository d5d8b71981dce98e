./declared
