. "${SRC:-.}/tests/examples/block/scsi-commands.sh"
