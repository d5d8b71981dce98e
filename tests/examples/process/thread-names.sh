perl -e '$0 = "first"; $0 = "second"'
