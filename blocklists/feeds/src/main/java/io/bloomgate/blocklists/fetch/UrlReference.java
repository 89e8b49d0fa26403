package io.bloomgate.blocklists.fetch;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a reference at an address, RFC 3986 section 5.2; the JDK keeps to the older RFC 2396,
 * under which {@code ?t=1} loses the last part of the path. Used by {@link RedirectRules}. Pure.
 */
final class UrlReference {

  private UrlReference() {}

  /**
   * The address that is meant, without a fragment, which no server is asked for.
   *
   * @param base absolute, with an authority
   */
  static URI resolve(URI base, URI reference) {
    if (reference.isOpaque() || (reference.getScheme() != null && authority(reference) == null)) {
      return reference;
    }
    String path = reference.getRawPath();
    // RFC 3986 section 5.2.2.
    if (authority(reference) != null) {
      String scheme = reference.getScheme() == null ? base.getScheme() : reference.getScheme();
      return composed(scheme, authority(reference), withoutDots(path), reference.getRawQuery());
    }
    if (path.isEmpty()) {
      String query = reference.getRawQuery() == null ? base.getRawQuery() : reference.getRawQuery();
      return composed(base.getScheme(), authority(base), base.getRawPath(), query);
    }
    String merged = path.startsWith("/") ? path : merged(base.getRawPath(), path);
    return composed(
        base.getScheme(), authority(base), withoutDots(merged), reference.getRawQuery());
  }

  private static @Nullable String authority(URI uri) {
    return uri.getRawAuthority();
  }

  /** RFC 3986 section 5.2.3. */
  private static String merged(String base, String path) {
    return base.isEmpty() ? "/" + path : base.substring(0, base.lastIndexOf('/') + 1) + path;
  }

  /** RFC 3986 section 5.2.4, for a path that begins at the root or is empty. */
  private static String withoutDots(String path) {
    if (path.isEmpty()) {
      return path;
    }
    Deque<String> kept = new ArrayDeque<>();
    String[] segments = path.substring(1).split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      String segment = segments[i];
      boolean dots = segment.equals(".") || segment.equals("..");
      if (segment.equals("..")) {
        kept.pollLast();
      }
      if (!dots || i == segments.length - 1) {
        kept.addLast(dots ? "" : segment);
      }
    }
    return "/" + String.join("/", kept);
  }

  /** RFC 3986 section 5.3. */
  private static URI composed(
      String scheme, @Nullable String authority, String path, @Nullable String query) {
    return URI.create(scheme + "://" + authority + path + (query == null ? "" : "?" + query));
  }
}
