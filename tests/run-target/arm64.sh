exec ./arm64
