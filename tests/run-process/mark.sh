exec ./mark
