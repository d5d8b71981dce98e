exec ./enumerators
