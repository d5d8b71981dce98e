mkdir /dev/shm/t_lines && rmdir /dev/shm/t_lines
