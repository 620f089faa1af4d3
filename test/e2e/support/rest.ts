/** For a shell: prints what is typed ahead, or comes within a second: also without the end of a line, for which `read` would wait. */
export const REST =
  'stty -icanon -echo min 0 time 10; rest=$(dd bs=99 count=1 2>/dev/null | tr -dc "[:print:]"); stty sane; echo "rest [$rest]"';
