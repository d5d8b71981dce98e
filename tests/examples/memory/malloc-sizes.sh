# perl keeps 3000 strings.
perl -e 'push @texts, "text $_" for 1 .. 3000; print scalar @texts, "\n"'
ls /etc >/dev/null
