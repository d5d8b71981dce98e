./library ./libother.so && ./stranger ./libother.so
