package io.bloomgate.blocklists.guard;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The files of {@code feeds.protect}: what the operator wants no feed to list, one address, network
 * or name a line; a name with a leading dot means all names below it, too. Read at start, at each
 * reload, and by the command line. Immutable.
 *
 * @param set everything that the files name
 * @param problems of single lines, {@code FILE:LINE: reason}
 */
public record ProtectFiles(ProtectedSet set, List<String> problems) {

  /** Longest file in octets; it is read whole. */
  private static final long MAX_OCTETS = 16L << 20;

  public ProtectFiles {
    problems = List.copyOf(problems);
  }

  /**
   * Reads them.
   *
   * @throws IOException when one cannot be read; without it something would be listed unnoticed
   */
  public static ProtectFiles read(List<Path> files) throws IOException {
    Reading reading = new Reading();
    for (Path file : files) {
      if (Files.size(file) > MAX_OCTETS) {
        throw new IOException(file + " is larger than " + MAX_OCTETS + " octets");
      }
      int number = 0;
      for (String line :
          new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\\R", -1)) {
        reading.line(file, ++number, line);
      }
    }
    return new ProtectFiles(
        new ProtectedSet(
            ProtectedSet.LISTED, reading.networks, reading.names, reading.trees, false),
        reading.problems);
  }

  /** The entries and problems that were read so far. */
  private static final class Reading {
    private final List<IpPrefix> networks = new ArrayList<>();
    private final Set<DomainName> names = new HashSet<>();
    private final List<DomainName> trees = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    void line(Path file, int number, String line) {
      int comment = line.indexOf('#');
      String entry = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (entry.isEmpty()) {
        return;
      }
      if (IpPrefix.parse(entry) instanceof Parsed.Ok<IpPrefix>(IpPrefix network, var ignored)) {
        networks.add(network);
        return;
      }
      boolean tree = entry.startsWith(".");
      switch (DomainName.parse(tree ? entry.substring(1) : entry)) {
        case Parsed.Ok<DomainName>(DomainName name, var ignored) -> {
          if (tree) {
            trees.add(name);
          } else {
            names.add(name);
          }
        }
        case Parsed.Bad<DomainName>(String reason) ->
            problems.add(file + ":" + number + ": " + reason + "; an address, network or name");
      }
    }
  }
}
