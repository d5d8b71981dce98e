# Run by the loader, with the script attached.
./markers-plain && ./markers-quick && ./markers-lto
