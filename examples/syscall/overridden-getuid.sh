# The shell asks when it begins, the target is what it then becomes.
exec id -u
