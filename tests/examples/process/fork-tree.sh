sh -c '(exit 7); /bin/true; exit 3' || :
