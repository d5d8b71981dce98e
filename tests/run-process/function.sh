exec ./function
