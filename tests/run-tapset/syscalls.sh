exec ./calls
