./written
