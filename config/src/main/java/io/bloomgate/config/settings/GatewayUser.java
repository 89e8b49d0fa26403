package io.bloomgate.config.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The user that the gateway runs as, and what keeps this user from files: root may read everything,
 * so a check of the settings as root asks for the rights of the gateway's user. Reads attributes of
 * files and the accounts of the machine, changes nothing. Used by {@code config validate}, and by
 * the gateway when it may not read a file; any thread.
 *
 * @param group its first group
 * @param groups the numbers of all its groups
 */
public record GatewayUser(String name, int uid, String group, Set<Integer> groups) {

  private static final Path USERS = Path.of("/etc/passwd");
  private static final Path GROUPS = Path.of("/etc/group");
  private static final Path PROCESS = Path.of("/proc/self/status");

  /** Columns of a line of {@link #USERS}, and of {@link #GROUPS} up to its number. */
  private static final int NAME = 0;

  private static final int NUMBER = 2;
  private static final int FIRST_GROUP = 3;
  private static final int MEMBERS = 3;

  public GatewayUser {
    groups = Set.copyOf(groups);
  }

  /**
   * The reason why the user cannot read the files.
   *
   * @param certain false when an access list (setfacl), which Java does not show, may permit it
   * @param remedy the command that lets the user read them
   */
  public record Closed(boolean certain, String remedy) {}

  /**
   * The user that these files are for: who owns the state directory, or else whose first group the
   * settings file has. Empty when root owns both, or when no account is known.
   */
  public static Optional<GatewayUser> of(Path settingsFile, Path stateDir) {
    Optional<FileRights> state = FileRights.of(stateDir).filter(rights -> rights.uid() != 0);
    if (state.isPresent()) {
      int uid = state.get().uid();
      return Optional.of(
          account(uid, NUMBER).orElseGet(() -> of("" + uid, uid, state.get().gid())));
    }
    return FileRights.of(settingsFile)
        .filter(rights -> rights.gid() != 0)
        .flatMap(rights -> account(rights.gid(), FIRST_GROUP));
  }

  /** The user of this process; empty where the system does not tell. */
  public static Optional<GatewayUser> ofProcess() {
    int uid = -1;
    int gid = -1;
    Set<Integer> groups = new HashSet<>();
    for (String line : lines(PROCESS)) {
      String[] words = line.split("\\s+", -1);
      switch (words[0]) {
        case "Uid:" -> uid = number(words, NUMBER);
        case "Gid:" -> gid = number(words, NUMBER);
        case "Groups:" -> {
          for (int i = 1; i < words.length; i++) {
            groups.add(number(words, i));
          }
        }
        default -> {}
      }
    }
    groups.add(gid);
    return uid < 0 || gid < 0
        ? Optional.empty()
        : Optional.of(
            new GatewayUser(
                System.getProperty("user.name", "" + uid), uid, groupName(gid), groups));
  }

  private static Optional<GatewayUser> account(int number, int column) {
    return lines(USERS).stream()
        .map(line -> line.split(":", -1))
        .filter(user -> user.length > FIRST_GROUP && number(user, column) == number)
        .findFirst()
        .map(user -> of(user[NAME], number(user, NUMBER), number(user, FIRST_GROUP)));
  }

  private static GatewayUser of(String name, int uid, int gid) {
    Set<Integer> groups = new HashSet<>(Set.of(gid));
    for (String line : lines(GROUPS)) {
      String[] group = line.split(":", -1);
      if (group.length > MEMBERS && List.of(group[MEMBERS].split(",", -1)).contains(name)) {
        groups.add(number(group, NUMBER));
      }
    }
    return new GatewayUser(name, uid, groupName(gid), groups);
  }

  static String groupName(int gid) {
    return lines(GROUPS).stream()
        .map(line -> line.split(":", -1))
        .filter(group -> group.length > NUMBER && number(group, NUMBER) == gid)
        .map(group -> group[NAME])
        .findFirst()
        .orElse("" + gid);
  }

  private static int number(String[] columns, int column) {
    try {
      return column < columns.length ? Integer.parseInt(columns[column].strip()) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /**
   * The lines of a file; none when it cannot be read: then less is known, and nothing is reported.
   */
  private static List<String> lines(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** True when the rights of a folder, as far as they can be seen, let the user write there. */
  public boolean mayWriteIn(Path folder) {
    return FileRights.of(folder)
        .map(rights ->
            rights.permits(this, FileRights.WRITE | FileRights.SEARCH) != FileRights.Answer.NO)
        .orElse(true);
  }

  /**
   * Finds the reason why the user cannot read files, which may be folders; empty when they can be
   * read.
   */
  public Optional<Closed> closed(Collection<Path> files) {
    Set<Path> folders = new LinkedHashSet<>();
    Set<Path> last = new LinkedHashSet<>();
    for (Path file : files) {
      for (Path way : ways(file)) {
        for (Path folder = way.getParent(); folder != null; folder = folder.getParent()) {
          folders.add(folder);
        }
        last.add(way);
      }
    }
    last.removeIf(file -> Files.isSymbolicLink(file));
    folders.removeAll(last);
    List<Closing> closing = new ArrayList<>();
    folders.stream()
        .sorted()
        .forEach(folder -> Closing.of(this, folder, FileRights.SEARCH).ifPresent(closing::add));
    for (Path file : last) {
      int right = Files.isDirectory(file) ? FileRights.READ | FileRights.SEARCH : FileRights.READ;
      Closing.of(this, file, right).ifPresent(closing::add);
    }
    return closing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Closed(closing.stream().anyMatch(Closing::certain), Closing.remedy(this, closing)));
  }

  /** The path as it is named, and as links lead. */
  private static Set<Path> ways(Path file) {
    Path named = file.toAbsolutePath().normalize();
    Set<Path> ways = new LinkedHashSet<>(Set.of(named));
    try {
      ways.add(named.toRealPath());
    } catch (IOException e) {
      // Closed before its end, or not there: the folders of the name are what is known.
    }
    return ways;
  }
}
