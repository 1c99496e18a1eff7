#compdef cardtop
# zsh completion for cardtop.

_cardtop() {
    local out word about
    local -i directive
    local -a args words_ shown space lines
    # (Q) takes the quotes off. The word under the cursor has none in PREFIX.
    args=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
    if [[ -z $QIPREFIX ]]; then
        args[-1]="${(Q)words[CURRENT]}"
    fi
    out=$(cardtop __complete "${args[@]}" 2>/dev/null) || return 1
    directive=${out##*:}
    ((directive & 2)) && space=(-S '')
    if ! ((directive & 4)); then
        _files
        return
    fi
    while IFS=$'\t' read -r word about; do
        [[ -n $word ]] || continue
        words_+=("$word")
        [[ -n $about ]] && lines=(-l)
        shown+=("$word${about:+  -- $about}")
    done <<<"${out%:*}"
    # The value after --flag= is offered without the flag.
    [[ ${args[-1]} == --*=* ]] && compset -P '*='
    compadd "${lines[@]}" -V cardtop -d shown "${space[@]}" -- "${words_[@]}"
}

if [[ $funcstack[1] == _cardtop ]]; then
    _cardtop "$@"
else
    compdef _cardtop cardtop
fi
