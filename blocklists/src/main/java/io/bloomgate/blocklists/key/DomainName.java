package io.bloomgate.blocklists.key;

/**
 * A domain name of at least two labels as lower-case A-labels without the trailing dot (UTS 46,
 * non-transitional). Immutable; equality is by name.
 */
public final class DomainName {

  private final String name;

  private DomainName(String name) {
    this.name = name;
  }

  /**
   * Reads a name: any case, U-labels or A-labels, one trailing dot allowed. Labels have 1 to 63
   * octets of letters, digits, hyphen and underscore, the whole at most 253; the last label is not
   * numeric.
   */
  public static Parsed<DomainName> parse(String text) {
    throw new UnsupportedOperationException(new DomainName(text).name);
  }

  /** The labels, at least two. */
  public int labels() {
    throw new UnsupportedOperationException();
  }

  /** True when {@code other} is this name or below it. */
  public boolean covers(DomainName other) {
    throw new UnsupportedOperationException();
  }

  /** The A-label text. */
  @Override
  public String toString() {
    return name;
  }
}
