exec ./dying
