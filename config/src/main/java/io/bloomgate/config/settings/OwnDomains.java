package io.bloomgate.config.settings;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The recipient domains that we take mail for. Sessions ask it for the relay check, which nothing
 * skips, and {@code explain} for recipients. Immutable; any thread.
 */
public final class OwnDomains {

  private final Set<String> exact;
  private final Set<String> above;

  private OwnDomains(Set<String> exact, Set<String> above) {
    this.exact = Set.copyOf(exact);
    this.above = Set.copyOf(above);
  }

  /**
   * Reads {@code domains} of the settings: lower-case A-labels, a leading dot adds the subdomains
   * to the name.
   */
  public static OwnDomains of(List<String> domains) {
    Set<String> exact = new HashSet<>();
    Set<String> above = new HashSet<>();
    for (String domain : domains) {
      if (domain.startsWith(".")) {
        above.add(domain.substring(1));
        exact.add(domain.substring(1));
      } else {
        exact.add(domain);
      }
    }
    return new OwnDomains(exact, above);
  }

  /** True when the text is one of the names in the settings, subdomains not considered. */
  public boolean isNamed(String domain) {
    return exact.contains(domain);
  }

  /** True when the domain, in lower-case A-labels, is ours. */
  public boolean contains(String domain) {
    if (exact.contains(domain)) {
      return true;
    }
    if (above.isEmpty()) {
      return false;
    }
    for (int dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
      if (above.contains(domain.substring(dot + 1))) {
        return true;
      }
    }
    return false;
  }
}
