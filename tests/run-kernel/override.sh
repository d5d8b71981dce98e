./overrider
./innocent
./overrider
