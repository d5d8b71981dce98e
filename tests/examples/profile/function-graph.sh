exec mkdir /run/function-graph
