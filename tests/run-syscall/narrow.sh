exec ./narrow-calls
