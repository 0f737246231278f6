"""`pixsize completion`, and what bash completes with."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class

from pixsize.cli.output import emit

SHELLS = ("bash", "zsh", "fish")
_BASH = """\
%(complete_func)s() {
    local type value word response
    local words=() place=0 i
    # bash takes `--config=a` as three words
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        word=${COMP_WORDS[i]}
        if ((i > 1)) && [[ $word == = && ${words[-1]} == --* ]]; then
            words[-1]+==
        elif ((i > 1)) && [[ ${COMP_WORDS[i - 1]} == = && ${words[-1]} == --*= ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        ((i == COMP_CWORD)) && place=$((${#words[@]} - 1))
    done
    local IFS=$'\\n'
    response=$(env COMP_WORDS="${words[*]}" COMP_CWORD=$place %(complete_var)s=bash_complete "$1")
    while IFS=, read -r type value; do
        case $type in
            dir) COMPREPLY=() && compopt -o dirnames ;;
            file) COMPREPLY=() && compopt -o default ;;
            path) COMPREPLY+=("$value") && compopt -o filenames ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done <<< "$response"
    return 0
}

%(complete_func)s_setup() {
    complete -o nosort -F %(complete_func)s %(prog_name)s
}

%(complete_func)s_setup;
"""


class Bash(BashComplete):
    """Completion in bash. It quotes file names as they are put into the line, which click's own does not: whoever gives
    a file its name would otherwise write into the line.
    """

    source_template = _BASH

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """A candidate as the script reads it."""
        return f"path,{item.value}" if item.is_path else super().format_completion(item)


add_completion_class(Bash)


@click.command(short_help="What a shell completes commands with.")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """The script with which a shell completes the commands of pixsize, their options and names.

    Load it where the shell starts: `source <(pixsize completion bash)`.
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    if script is None:
        raise click.UsageError(f"this release of click has no completion for {shell}")
    emit(script(ctx.find_root().command, {}, "pixsize", "_PIXSIZE_COMPLETE").source() + "\n")
    return 0
