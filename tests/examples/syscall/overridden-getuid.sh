# The shell calls getuid when it starts; the target is the program it then executes.
exec id -u
