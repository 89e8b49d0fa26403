package io.bloomgate.config.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One file or folder that keeps a user out, and how such files are opened. Pure; used by {@link
 * GatewayUser}.
 *
 * @param right the bits that are missing
 * @param certain false when an access list may permit it
 */
record Closing(Path file, FileRights rights, int right, boolean certain) {

  /**
   * The reason why a user has no right to a file; empty when the user has it, or when that cannot
   * be seen.
   */
  static Optional<Closing> of(GatewayUser user, Path file, int right) {
    return FileRights.of(file)
        .flatMap(rights ->
            switch (rights.permits(user, right)) {
              case YES -> Optional.empty();
              case PERHAPS -> Optional.of(new Closing(file, rights, right, false));
              case NO -> Optional.of(new Closing(file, rights, right, true));
            });
  }

  /**
   * The command that opens them. Where a group of the system has the right, as Debian's {@code
   * ssl-cert}, the user joins it; else the files get the user's group.
   */
  static String remedy(GatewayUser user, List<Closing> all) {
    List<String> commands = new ArrayList<>();
    List<Closing> own = new ArrayList<>();
    Set<String> joined = new LinkedHashSet<>();
    for (Closing closing : all) {
      if (!closing.certain && closing.rights.gid() != 0) {
        joined.add(GatewayUser.groupName(closing.rights.gid()));
      } else {
        own.add(closing);
      }
    }
    for (String group : joined) {
      commands.add("usermod -aG " + group + " " + user.name());
    }
    String foreign =
        words(
            own,
            closing ->
                closing.rights.uid() != user.uid()
                    && !user.groups().contains(closing.rights.gid()));
    if (!foreign.isEmpty()) {
      commands.add("chgrp " + user.group() + foreign);
    }
    for (String who : List.of("u", "g")) {
      for (int right = 1; right <= (FileRights.READ | FileRights.SEARCH); right++) {
        int wanted = right;
        String files =
            words(
                own,
                closing ->
                    closing.right == wanted
                        && closing.who(user).equals(who)
                        && !(who.equals("g") && closing.rights.groupHas(wanted)));
        if (!files.isEmpty()) {
          commands.add("chmod " + who + "+" + letters(right) + files);
        }
      }
    }
    return String.join("; ", commands) + (joined.isEmpty() ? "" : "; then restart the gateway");
  }

  private String who(GatewayUser user) {
    return rights.uid() == user.uid() ? "u" : "g";
  }

  private static String letters(int right) {
    return ((right & FileRights.READ) == 0 ? "" : "r")
        + ((right & FileRights.SEARCH) == 0 ? "" : "x");
  }

  private static String words(List<Closing> all, Predicate<Closing> wanted) {
    return all.stream()
        .filter(wanted)
        .map(closing -> " " + Shown.word(closing.file.toString()))
        .collect(Collectors.joining());
  }
}
