exec ./landing
