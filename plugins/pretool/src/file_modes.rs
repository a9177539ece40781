//! `chmod` that lets every account of the machine change whole folders.

use interleaf_shell::Command;

/// Tells whether the command lets all other accounts write to everything below a folder.
pub fn opens_folders_to_everyone(command: &Command) -> bool {
    let is_recursive = command.has_option(&["-R", "--recursive"]);
    command.program == "chmod" && is_recursive && command.operands().next().is_some_and(lets_others_write)
}

/// Tells whether a mode, in digits or in letters, gives the right to write to accounts that are neither the
/// owner nor in the group.
fn lets_others_write(mode: &str) -> bool {
    if let Ok(digits) = u32::from_str_radix(mode.trim_start_matches(['+', '=']), 8) {
        return digits & 0o002 != 0;
    }
    mode.split(',').any(|clause| {
        let Some((who, rights)) = clause.split_once(['+', '=']) else { return false };
        who.contains(['a', 'o']) && rights.contains('w')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opens(line: &str) -> bool {
        interleaf_shell::CommandLine::read(line).commands.iter().any(opens_folders_to_everyone)
    }

    #[test]
    fn a_folder_that_everyone_may_change_is_noticed_in_any_spelling() {
        for line in [
            "chmod -R 777 .",
            "chmod 0777 -R src",
            "chmod --recursive a+rwx .",
            "chmod -Rv ugo=rwx,g-w src",
            "sudo chmod -R o+w /srv",
            "cd src && chmod -R 666 .",
            "bash -c 'chmod -R 777 .'",
        ] {
            assert!(opens(line), "{line}");
        }
        for line in [
            "chmod 777 run.sh",
            "chmod -R 755 .",
            "chmod -R u+w target",
            "chmod -R go-w .",
            "chmod -R a-w,u+w .",
            "chmod -R a+rX .",
            "echo chmod -R 777 .",
        ] {
            assert!(!opens(line), "{line}");
        }
    }
}
