# Speaks SMTP to port 25 of this machine with bash alone. Read by test.sh and test-inside.sh.

# answer CODE: reads one whole reply.
answer() {
  local line
  while IFS= read -r -t 60 -u 5 line; do
    case $line in "$1 "* | "$1"$'\r') return 0 ;; "$1-"*) ;; *) echo "wanted $1, got $line" >&2 && return 1 ;; esac
  done
  echo "wanted $1, got nothing" >&2
  return 1
}

ask() { # COMMAND CODE
  printf '%s\r\n' "$1" >&5
  answer "$2"
}

# mail SENDER CODE [FILE]: one dialog to the end; CODE answers RCPT TO. With FILE the content goes on until FILE is there, and
# FILE.begun is there as soon as the mail server waits for content. A client that is silent meanwhile is cut after a minute
# (limits.min_data_rate), and so is the gateway by its mail server, so a line is sent again and again.
mail() {
  exec 5<>/dev/tcp/127.0.0.1/25 || return 1
  answer 220 && ask 'EHLO client.example' 250 && ask "MAIL FROM:<$1>" 250 && ask 'RCPT TO:<bob@example.com>' "$2" || return 1
  if [ "$2" = 250 ]; then
    ask DATA 354 || return 1
    printf 'Subject: test\r\n\r\nhello\r\n' >&5
    if [ -n "${3:-}" ]; then
      touch "$3.begun"
      until [ -e "$3" ]; do
        printf '%0500d\r\n' 0 >&5
        sleep 0.2
      done
    fi
    ask . 250 || return 1
  fi
  printf 'QUIT\r\n' >&5 # a gateway that drains has said 421 by now
  exec 5>&-
}
