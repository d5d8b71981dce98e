. "${SRC:-.}/examples/block/scsi-commands.sh"
