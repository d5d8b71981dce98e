./print
