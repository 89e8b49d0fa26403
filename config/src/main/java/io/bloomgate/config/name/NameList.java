package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Names of a file beside this class: one a line, a dot in front of a name takes in what is below
 * it, and behind a name may be the beginnings of paths. Read once, when the first URL is;
 * immutable, any thread.
 *
 * @param names all names
 * @param trees those with a dot
 * @param paths of names that have some
 */
public record NameList(
    Set<DomainName> names, Set<DomainName> trees, Map<DomainName, List<String>> paths) {

  /** Hosts that serve the pages and files of strangers. */
  public static final NameList HOSTERS = read("shared-hosts.txt");

  /** Short links, click counters and link scanners. */
  public static final NameList REDIRECTORS = read("redirectors.txt");

  /** Sites with a page that redirects, among others. */
  public static final NameList REDIRECTOR_PAGES = read("redirector-pages.txt");

  /** Names that are in mail of everybody, about which no DNS list needs to be asked. */
  public static final NameList EVERYDAY = read("everyday-names.txt");

  /** The names of a resource; what follows {@code #} is a comment. */
  private static NameList read(String file) {
    Set<DomainName> names = new HashSet<>();
    Set<DomainName> trees = new HashSet<>();
    Map<DomainName, List<String>> paths = new HashMap<>();
    for (String line : text(file).lines().toList()) {
      String text = line.replaceFirst("#.*", "").strip();
      if (!text.isEmpty()) {
        boolean tree = text.startsWith(".");
        List<String> words = List.of((tree ? text.substring(1) : text).split(" +"));
        DomainName name = DomainName.parse(words.getFirst()).toOptional().orElseThrow();
        names.add(name);
        if (tree) {
          trees.add(name);
        }
        if (words.size() > 1) {
          paths.put(name, words.subList(1, words.size()));
        }
      }
    }
    return new NameList(Set.copyOf(names), Set.copyOf(trees), Map.copyOf(paths));
  }

  private static String text(String file) {
    try (InputStream resource =
        Objects.requireNonNull(NameList.class.getResourceAsStream(file), "resource " + file)) {
      return new String(resource.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Labels of the longest name. */
  public int longest() {
    return names.stream().mapToInt(DomainName::labels).max().orElse(0);
  }

  /** True for a name of the list, for one below a tree, and for both with {@code www.} in front. */
  public boolean contains(DomainName name) {
    for (int label = 0; label <= name.labels() - 2; label++) {
      if (covers(name, label, name.from(label))) {
        return true;
      }
    }
    return false;
  }

  /**
   * True when the list takes a name in because of one of its parents.
   *
   * @param parent the name without that many labels
   */
  public boolean covers(DomainName name, int labels, DomainName parent) {
    return switch (labels) {
      case 0 -> names.contains(name);
      case 1 -> trees.contains(parent) || (isWww(name) && names.contains(parent));
      default -> trees.contains(parent);
    };
  }

  private static boolean isWww(DomainName name) {
    return name.toString().startsWith("www.");
  }
}
