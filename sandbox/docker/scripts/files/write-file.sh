# Writes the input to a file.
[ ! -d "$real" ] || refuse 42
[ ! -e "$real" ] || [ -f "$real" ] || refuse 44
done=created
[ ! -e "$real" ] || done=replaced
put_file cat
echo $done
