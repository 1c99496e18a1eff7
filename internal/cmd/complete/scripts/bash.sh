# bash completion for cardtop. It needs no other script, and bash 4.4 or later.

_cardtop() {
    local IFS=$' \t\n' quote='' prefix='' line="$COMP_LINE" word out directive i
    local -a args=()
    COMPREPLY=()
    # bash splits words at = and :, which labels and filters hold. Words without a
    # blank between them are one.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i > 1)) && [[ -n $word && $line == "$word"* ]]; then
            args[${#args[@]} - 1]+=$word
        elif ((i > 0)); then
            args+=("$word")
        fi
        [[ $line =~ ^[[:blank:]]+ ]] && line=${line:${#BASH_REMATCH[0]}}
        line=${line#"$word"}
    done
    # What is quoted is meant without its quotes. Nothing is evaluated.
    word=${args[${#args[@]} - 1]}
    case $word in
    \'* | \"*) quote=${word:0:1} ;;
    esac
    # A quote that is closed, or opened within the word, is the user's to go on from.
    [[ ${word:1} == *[\'\"]* ]] && return
    for i in "${!args[@]}"; do
        args[i]=${args[i]//[\'\"]/}
        args[i]=${args[i]//\\/}
    done
    word=${args[${#args[@]} - 1]}
    [[ -z $quote && $word == *[=:]* ]] && prefix=${word%"${word##*[=:]}"}
    # The value after --flag= is offered without the flag.
    [[ $word == --*=* ]] && prefix=${prefix#"${word%%=*}="}

    out=$(cardtop __completeNoDesc "${args[@]}" 2>/dev/null) || return
    directive=${out##*:}
    out=${out%:*}
    ((directive & 2)) && compopt -o nospace
    if ! ((directive & 4)); then
        compopt -o default
        return
    fi
    while IFS= read -r i; do
        [[ -n $i ]] || continue
        i=${i#"$prefix"}
        if [[ -z $quote ]]; then
            printf -v i %q "$i"
            # A comma needs no backslash where braces have one.
            [[ $i == \$\'* ]] || i=${i//\\,/,}
        elif [[ $i == *[$quote\\\$\`]* ]]; then
            continue
        fi
        COMPREPLY+=("$i")
    done <<<"$out"
    # bash closes the quote of a single match, also where more is to follow.
    if [[ -n $quote ]] && ((directive & 2 && ${#COMPREPLY[@]} == 1)); then
        COMPREPLY+=("${COMPREPLY[0]} ")
    fi
}

complete -o nosort -F _cardtop cardtop
