# `cargo lease-guard` is completed as cargo-lease-guard is.
function __cargo_lease_guard_below_cargo
    set -l words (commandline -opc)
    complete -C "cargo-lease-guard "(string join ' ' -- (string escape -- $words[3..-1]) (commandline -ct))
end
complete -c cargo -n '__fish_seen_subcommand_from lease-guard' -f -a '(__cargo_lease_guard_below_cargo)'
