trap : USR1
kill -USR1 $$
echo x >/dev/null
exec /bin/true
