# `cargo lease-guard` is completed as cargo-lease-guard is, every other `cargo` as it was before.
_cargo_lease_guard_find_before() {
    [[ $(complete -p cargo 2>/dev/null) =~ -F\ ([^ ]+) && ${BASH_REMATCH[1]} != _cargo_lease_guard_below_cargo ]] &&
        _cargo_lease_guard_before=${BASH_REMATCH[1]}
}

_cargo_lease_guard_below_cargo() {
    if [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} == lease-guard ]]; then
        local lease_guard_words=("${COMP_WORDS[@]:2}")
        local COMP_WORDS=(cargo-lease-guard "${lease_guard_words[@]}") COMP_CWORD=$((COMP_CWORD - 1))
        local before=$3
        [[ $COMP_CWORD -eq 1 ]] && before=cargo-lease-guard
        _cargo_lease_guard cargo-lease-guard "$2" "$before"
        return
    fi
    if [[ -z ${_cargo_lease_guard_before-} ]]; then
        # bash-completion brings cargo's own completion when it is first asked for.
        if declare -F _comp_load >/dev/null; then
            _comp_load cargo
        elif declare -F _completion_loader >/dev/null; then
            _completion_loader cargo
        fi
        _cargo_lease_guard_find_before
        complete -F _cargo_lease_guard_below_cargo -o bashdefault -o default cargo
    fi
    [[ -n ${_cargo_lease_guard_before-} ]] && "$_cargo_lease_guard_before" "$@"
}

_cargo_lease_guard_find_before
complete -F _cargo_lease_guard_below_cargo -o bashdefault -o default cargo
