./narrow ./libplain.so
