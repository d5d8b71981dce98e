./data
./other
