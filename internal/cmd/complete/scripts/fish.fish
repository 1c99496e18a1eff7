# fish completion for cardtop.

function __cardtop_complete
    set -l args (commandline -opc)
    set -l word (commandline -ct)
    # The word under the cursor may have an open quote.
    set -l plain (string unescape -- $word; or string replace -ra '[\'"\\\\]' '' -- $word)
    set -l lines (cardtop __complete $args[2..-1] "$plain" 2>/dev/null)
    or return
    set -l directive (string replace ':' '' -- $lines[-1])
    set -e lines[-1]
    set -l flag (string match -r -- '^--[^=]*=' $plain)
    if test (math "bitand($directive, 4)") -eq 0
        __fish_complete_path (string replace -- "$flag" '' $plain) | string replace -r -- '^' "$flag"
        return
    end
    for line in $lines
        # fish leaves a tilde as it is, and then takes it for a home. The card has digits and an id as well.
        string match -q -- '~*' "$flag$line"; and not string match -qr -- '^[\'"]' "$word"; and continue
        test -n "$line"; and printf '%s\n' "$flag$line"
    end
end

complete -c cardtop -e
complete -c cardtop -f -k -a '(__cardtop_complete)'
