exec ./entered one two
