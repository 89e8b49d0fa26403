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
    List<IpPrefix> networks = new ArrayList<>();
    Set<DomainName> names = new HashSet<>();
    List<DomainName> trees = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Path file : files) {
      if (Files.size(file) > MAX_OCTETS) {
        throw new IOException(file + " is larger than " + MAX_OCTETS + " octets");
      }
      int number = 0;
      for (String line :
          new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\\R", -1)) {
        number++;
        String entry = line.replaceFirst("#.*", "").strip();
        boolean tree = entry.startsWith(".");
        if (entry.isEmpty()) {
          continue;
        }
        if (IpPrefix.parse(entry) instanceof Parsed.Ok<IpPrefix>(IpPrefix network, var _)) {
          networks.add(network);
          continue;
        }
        switch (DomainName.parse(tree ? entry.substring(1) : entry)) {
          case Parsed.Ok<DomainName>(DomainName name, var _) -> (tree ? trees : names).add(name);
          case Parsed.Bad<DomainName>(String reason) ->
              problems.add(file + ":" + number + ": " + reason + "; an address, network or name");
        }
      }
    }
    return new ProtectFiles(
        new ProtectedSet(ProtectedSet.LISTED, networks, names, trees, false), problems);
  }
}
