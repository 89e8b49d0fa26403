package io.bloomgate.config.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.settings.yaml.Section;
import io.bloomgate.config.settings.yaml.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names of {@code domains} by where they are from: the settings themselves, and files.
 * Immutable.
 *
 * @param named in the settings
 * @param files in the order of the settings
 */
public record DomainSources(List<String> named, List<DomainFile> files) {

  /** Reads the elements of {@code domains}: names, and files that are not read yet. */
  static List<String> elements(Section root) {
    List<String> domains =
        root.requiredList(
            "domains", "domains: [example.com]", DomainFile.element(root.around().base()));
    Set<String> seen = new HashSet<>();
    domains.stream()
        .filter(d -> !seen.add(d))
        .forEach(d -> root.warn("domains", "`" + d + "` is in domains twice", "keep one"));
    return domains.stream().distinct().toList();
  }

  /** Reads the files among the elements: no mail is refused because one of them is broken now. */
  static DomainSources read(Section root, List<String> elements, Path stateDir) {
    Surroundings.Reading reading = root.around().files();
    Map<String, List<String>> kept =
        reading == Surroundings.Reading.OFF || elements.stream().noneMatch(DomainFile::isFile)
            ? Map.of()
            : kept(stateDir);
    List<DomainFile> files = new ArrayList<>();
    for (String element : elements) {
      if (DomainFile.isFile(element)) {
        DomainFile file = DomainFile.read(element, kept.getOrDefault(element, List.of()), reading);
        files.add(file);
        if (!file.held().isEmpty() && file.names().isEmpty()) {
          root.problem(
              "domains",
              Shown.bare(file.path().toString()) + " " + file.held(),
              "no former names of it are kept in state_dir; put the file right and let the"
                  + " gateway's user read it, or take it out of `domains`");
        } else if (!file.held().isEmpty()) {
          root.warn("domains", file.problem(), file.fix());
        }
      }
    }
    return new DomainSources(
        elements.stream().filter(element -> !DomainFile.isFile(element)).toList(), files);
  }

  /** False where a file was not read, as with the settings of a backup: any domain may be in it. */
  boolean areKnown() {
    return files.stream().noneMatch(file -> file.names().isEmpty());
  }

  /** Reports a key that names a domain of others; with files the name may come and go. */
  void foreign(Section s, String key, String kind) {
    String what = "a " + kind + " for " + Shown.quoted(key) + ", which is not in domains";
    if (files.isEmpty()) {
      s.problem(key, what, "add it to domains, or mail for it is refused as relaying");
    } else if (areKnown()) {
      // No reason not to start.
      s.warn(
          key,
          what + " and their files",
          "mail for it is refused as relaying until one of them names it");
    }
  }

  /** Every name, once. */
  public List<String> all() {
    Set<String> all = new LinkedHashSet<>(named);
    files.forEach(file -> all.addAll(file.names()));
    return List.copyOf(all);
  }

  /** One line for a person: {@code 12 domains: 2 of the settings, 10 of file:/etc/x}. */
  public String summary() {
    List<String> parts = new ArrayList<>();
    if (!named.isEmpty() || files.isEmpty()) {
      parts.add(named.size() + " of the settings");
    }
    files.forEach(file ->
        parts.add(
            "%d of %s%s"
                .formatted(
                    file.names().size(),
                    Shown.bare(file.element()),
                    file.held().isEmpty() ? "" : " (as it was, it " + file.held() + " now)")));
    int all = all().size();
    return all + (all == 1 ? " domain: " : " domains: ") + String.join(", ", parts);
  }

  /** The file's name in the state directory. */
  public static final String KEPT = "domains.kept";

  /** Begins the line that names a file; the lines below it are its names. */
  private static final String HEAD = "# ";

  /**
   * The names by element of {@code domains}; empty where nothing was kept, or this user may not
   * read it.
   */
  static Map<String, List<String>> kept(Path stateDir) {
    Map<String, List<String>> kept = new LinkedHashMap<>();
    try {
      List<String> names = new ArrayList<>();
      for (String line : Files.readString(stateDir.resolve(KEPT), UTF_8).lines().toList()) {
        if (line.startsWith(HEAD)) {
          names = kept.computeIfAbsent(line.substring(HEAD.length()), _ -> new ArrayList<>());
        } else {
          names.add(Names.ownDomain(line));
        }
      }
      return kept;
    } catch (IOException | BadValueException e) {
      return Map.of(); // a file that is not ours helps nobody
    }
  }

  /** The content of the file. */
  public static String kept(List<DomainFile> files) {
    StringBuilder text = new StringBuilder();
    for (DomainFile file : files) {
      text.append(HEAD).append(file.element()).append('\n');
      file.names().forEach(name -> text.append(name).append('\n'));
    }
    return text.toString();
  }
}
