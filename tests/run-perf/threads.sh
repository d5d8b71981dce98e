exec ./threads
