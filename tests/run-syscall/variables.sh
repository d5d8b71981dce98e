exec ./variables
