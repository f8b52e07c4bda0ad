#!/bin/bash
# Speaks what a table says: the step, and an outcome with its reason and its cost.
#
#   apt install mosquitto-clients jq espeak-ng
#   ./speak.sh den                                     the table den, in English
#   ./speak.sh den de -h 10.0.0.5 -u display -P tower  in German; the rest goes to mosquitto_sub
set -u
table=${1:?the name of the table is missing}
language=${2:-en}
shift $(($# < 2 ? $# : 2))

# A line for each change of the words: how long displays still turn cards (s), a tab, the words.
mosquitto_sub "$@" -t "facedown/$table/said" |
    jq --unbuffered -rn --arg language "$language" '
        def sentence: if test("[.?!…]$") then . else . + "." end;
        foreach inputs as $now ({};
            {was: .is, is: ($now.texts[$language] | [.headline, .why, .cost])};
            select(.is != .was).is
            | [if .[1] + .[2] == "" then 0 else 4 end,
               (map(select(. != "") | sentence) | join(" "))]
            | @tsv)' |
    while IFS=$'\t' read -r seconds words; do
        sleep "$seconds"
        # Only the newest words are spoken.
        while IFS=$'\t' read -r -t 0.05 seconds newer; do words=$newer; done
        printf '%s\n' "$words" | espeak-ng -v "$language" --stdin
    done
