exec awk 'BEGIN { while (i < 3000000) i++ }'
