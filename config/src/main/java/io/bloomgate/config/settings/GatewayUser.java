package io.bloomgate.config.settings;

import io.bloomgate.config.notation.Shown;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The user that the gateway runs as, and what keeps this user from files, by their owner, group and
 * mode: root may read everything, so a check of the settings as root asks for the rights of the
 * gateway's user. Changes nothing. Used by {@code config validate}, and by the gateway when it may
 * not read a file; any thread.
 *
 * @param group its first group
 * @param groups all its groups
 */
public record GatewayUser(String name, String group, Set<String> groups) {

  private static final String ROOT = "root";
  private static final Path GROUPS = Path.of("/etc/group");
  private static final Path PROCESS = Path.of("/proc/self");

  /** The places of a user's own rights and of those of the group in {@code rwxr-x---}. */
  private static final int OWN_RIGHTS = 0;

  private static final int GROUP_RIGHTS = 3;
  private static final int RIGHTS_OF_OTHERS = 6;

  /**
   * The reason why the user cannot read the files.
   *
   * @param certain false when an access list (setfacl), which Java does not show, may permit it
   * @param remedy the command that lets the user read them
   */
  public record Closed(boolean certain, String remedy) {}

  /**
   * One file or folder that keeps the user out.
   *
   * @param right letters of the missing right, as {@code chmod} has them
   * @param own true for a file of the user, whose own rights count
   * @param ofGroup true when the user is in the group of the file
   * @param byGroup true when the group has the right
   */
  private record Closing(
      Path file, String right, boolean own, String group, boolean ofGroup, boolean byGroup) {

    boolean isCertain() {
      return own || ofGroup || !byGroup;
    }

    boolean isForGroup() {
      return !isCertain() && !group.equals(ROOT);
    }
  }

  /**
   * The user that these files are for: who owns the state directory, or else whose name the group
   * of the settings file has. Empty when both are of root, or when there is no such user.
   */
  public static Optional<GatewayUser> of(Path settingsFile, Path stateDir) {
    return rights(stateDir)
        .filter(state -> !state.owner().getName().equals(ROOT))
        .map(state -> named(state.owner().getName(), state.group().getName()))
        .or(() ->
            rights(settingsFile)
                .map(settings -> settings.group().getName())
                .filter(group -> !group.equals(ROOT) && isUser(group))
                .map(group -> named(group, group)));
  }

  /** The user of this process; empty where the system does not tell. */
  public static Optional<GatewayUser> ofProcess() {
    return rights(PROCESS)
        .map(process -> named(process.owner().getName(), process.group().getName()));
  }

  private static boolean isUser(String name) {
    try {
      GROUPS.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static GatewayUser named(String name, String group) {
    Set<String> groups = new HashSet<>(Set.of(group));
    try {
      for (String line : Files.readAllLines(GROUPS, StandardCharsets.ISO_8859_1)) {
        String[] columns = line.split(":", -1);
        if (List.of(columns[columns.length - 1].split(",", -1)).contains(name)) {
          groups.add(columns[0]);
        }
      }
    } catch (IOException e) {
      // Then less is known.
    }
    return new GatewayUser(name, group, groups);
  }

  private static Optional<PosixFileAttributes> rights(Path file) {
    try {
      return Optional.of(Files.readAttributes(file, PosixFileAttributes.class));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** True when the rights of a folder, as far as they can be seen, let the user write there. */
  public boolean mayWriteIn(Path folder) {
    return closing(folder, "wx").filter(Closing::isCertain).isEmpty();
  }

  /**
   * Finds the reason why the user cannot read files, which may be folders; empty when they can be
   * read.
   */
  public Optional<Closed> closed(Collection<Path> files) {
    List<Closing> closing = new ArrayList<>();
    needed(files).forEach((file, right) -> closing(file, right).ifPresent(closing::add));
    return closing.isEmpty()
        ? Optional.empty()
        : Optional.of(new Closed(closing.stream().anyMatch(Closing::isCertain), remedy(closing)));
  }

  /** The rights that reading takes, folders first: of a path as it is named and as links lead. */
  private static Map<Path, String> needed(Collection<Path> files) {
    Map<Path, String> folders = new TreeMap<>();
    Map<Path, String> last = new LinkedHashMap<>();
    for (Path file : files) {
      for (Path way : ways(file)) {
        for (Path folder = way.getParent(); folder != null; folder = folder.getParent()) {
          folders.put(folder, "x");
        }
        if (!Files.isSymbolicLink(way)) {
          last.put(way, Files.isDirectory(way) ? "rx" : "r");
        }
      }
    }
    Map<Path, String> all = new LinkedHashMap<>(folders);
    all.keySet().removeAll(last.keySet());
    all.putAll(last);
    return all;
  }

  private static Set<Path> ways(Path file) {
    Path named = file.toAbsolutePath().normalize();
    try {
      return new LinkedHashSet<>(List.of(named, named.toRealPath()));
    } catch (IOException e) {
      // Closed before its end, or not there: the folders of the name are what is known.
      return Set.of(named);
    }
  }

  /** The reason why the user has no right; empty when the user has it, or that cannot be seen. */
  private Optional<Closing> closing(Path file, String right) {
    PosixFileAttributes found = rights(file).orElse(null);
    if (found == null || name.equals(ROOT)) {
      return Optional.empty();
    }
    String mode = PosixFilePermissions.toString(found.permissions());
    String owning = found.group().getName();
    boolean own = found.owner().getName().equals(name);
    boolean ofGroup = groups.contains(owning);
    return has(mode, own ? OWN_RIGHTS : ofGroup ? GROUP_RIGHTS : RIGHTS_OF_OTHERS, right)
        ? Optional.empty()
        : Optional.of(
            new Closing(file, right, own, owning, ofGroup, has(mode, GROUP_RIGHTS, right)));
  }

  private static boolean has(String mode, int from, String right) {
    return right.chars().allMatch(letter -> mode.indexOf(letter, from, from + 3) >= 0);
  }

  /**
   * The command that opens files. Where a group of the system has the right, as Debian's {@code
   * ssl-cert}, the user joins it; else the files get the user's group.
   */
  private String remedy(List<Closing> closing) {
    Map<String, String> files = new LinkedHashMap<>();
    for (Closing one : closing) {
      String word = " " + Shown.word(one.file.toString());
      if (one.isForGroup()) {
        files.put("usermod -aG " + one.group + " " + name, "");
      } else {
        if (!one.own && !one.ofGroup) {
          files.merge("chgrp " + group, word, String::concat);
        }
        if (one.own || !one.byGroup) {
          files.merge("chmod " + (one.own ? "u+" : "g+") + one.right, word, String::concat);
        }
      }
    }
    boolean joins = closing.stream().anyMatch(Closing::isForGroup);
    return files.entrySet().stream()
            .map(command -> command.getKey() + command.getValue())
            .collect(Collectors.joining("; "))
        + (joins ? "; then restart the gateway" : "");
  }
}
