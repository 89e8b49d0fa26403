package io.bloomgate.config.settings;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Where the names of {@code domains} are from: the settings themselves, and files. Immutable.
 *
 * @param named in the settings
 * @param files in the order of the settings
 */
public record DomainSources(List<String> named, List<DomainFile> files) {

  public DomainSources {
    named = List.copyOf(named);
    files = List.copyOf(files);
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
            file.names().size()
                + " of "
                + Shown.bare(file.element())
                + (file.held().isEmpty() ? "" : " (as it was, it " + file.held() + " now)")));
    int all = all().size();
    return all + (all == 1 ? " domain: " : " domains: ") + String.join(", ", parts);
  }
}
