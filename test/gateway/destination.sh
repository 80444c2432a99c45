#!/bin/sh
# A webhook endpoint in plain shell, behind socat, that may be killed at any moment: a file that appears at once is key and effect together.
set -u
folder=$EFFECTS_FILE

if [ "${1-}" != handle ]; then
  mkdir -p "$folder"
  exec socat "TCP-LISTEN:$PORT,bind=127.0.0.1,reuseaddr,fork,backlog=50" "EXEC:sh $0 handle"
fi

return=$(printf '\r')
method='' key='' bytes=0
while IFS= read -r line; do
  line=${line%"$return"}
  case $line in
    '') break ;;
    'GET '* | 'POST '*) method=${line%% *} ;;
    [Ii]dempotency-[Kk]ey:*) key=${line#*: } ;;
    [Cc]ontent-[Ll]ength:*) bytes=${line#*: } ;;
  esac
done

answer=''
if [ "$method" = POST ]; then
  event=$(head -c "$bytes" | sed -n 's/.*"id": *"\(evt_[0-9A-Za-z_]*\)".*/\1/p')
  name=$(printf '%s' "$key" | sha256sum | cut -c 1-64)
  new=$(mktemp "$folder/new.XXXXXX")
  printf '"%s"\n' "$event" > "$new"
  sync "$new"
  # Fails if it is there: then another copy was first.
  ln "$new" "$folder/done.$name" 2> /dev/null
  rm -f "$new"
  [ -e "$folder/done.$name" ] || exit 1
else
  answer="[$(cat "$folder"/done.* 2> /dev/null | paste -s -d , -)]"
fi
printf 'HTTP/1.1 200 OK\r\nContent-Length: %s\r\nConnection: close\r\n\r\n%s' "${#answer}" "$answer"
