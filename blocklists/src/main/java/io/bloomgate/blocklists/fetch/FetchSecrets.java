package io.bloomgate.blocklists.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.fetch.WebRequest.WebProxy;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Fetching;
import io.bloomgate.config.settings.Fetching.HeaderValue;
import io.bloomgate.config.settings.Fetching.Proxy;
import io.bloomgate.config.settings.SecretFile;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one fetch, read when it begins, and the requests that they go into. Nothing of it is
 * kept or shown. Used by {@link HttpFeedSource}.
 */
final class FetchSecrets {

  private final FeedUrl own;
  private final Fetching fetching;
  private final String urlSecret;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final List<String> fromFiles = new ArrayList<>();
  private final @Nullable WebProxy proxy;

  /**
   * Reads all files that the settings name.
   *
   * @param own the feed's own address
   */
  FetchSecrets(FeedUrl own, Fetching fetching) throws SecretFile.UnusableException {
    this.own = own;
    this.fetching = fetching;
    Path secretFile = fetching.secretFile();
    urlSecret = secretFile == null ? "" : read(secretFile);
    for (Map.Entry<String, HeaderValue> header : fetching.headers().entrySet()) {
      headers.put(
          header.getKey(),
          switch (header.getValue()) {
            case HeaderValue.Text(String value) -> value;
            case HeaderValue.SecretFile(Path file) -> read(file);
          });
    }
    proxy = proxy(fetching.proxy());
  }

  private String read(Path file) throws SecretFile.UnusableException {
    String key = SecretFile.read(file);
    fromFiles.add(key);
    return key;
  }

  private static @Nullable WebProxy proxy(@Nullable Proxy proxy)
      throws SecretFile.UnusableException {
    if (proxy == null) {
      return null;
    }
    Path file = proxy.credentials();
    String credentials = file == null ? "" : SecretFile.read(file);
    if (file != null && credentials.indexOf(':') < 1) {
      throw new SecretFile.UnusableException(file, "write USER:PASSWORD into it");
    }
    return new WebProxy(proxy.address().host(), proxy.address().port(), credentials);
  }

  /** The request for one address. Headers of the settings go to the feed's own server only. */
  HttpPage.Page page(FeedUrl url) {
    URI uri = URI.create(url.uri(urlSecret).toASCIIString());
    Map<String, String> keyed = new LinkedHashMap<>();
    if (uri.getUserInfo() != null) {
      byte[] credentials = uri.getUserInfo().getBytes(UTF_8);
      keyed.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
    }
    if (RedirectRules.sameServer(own.server(), uri)) {
      keyed.putAll(headers);
    }
    return new HttpPage.Page(
        withoutUser(uri),
        url.shown(),
        keyed,
        proxy,
        new HttpPage.Page.Redirects(fetching.allowPrivateRedirects(), fetching.insecure()),
        List.copyOf(fromFiles));
  }

  /** User and password are in a separate header. */
  private static URI withoutUser(URI url) {
    if (url.getRawUserInfo() == null) {
      return url;
    }
    try {
      return new URI(url.toString().replaceFirst("//[^/?#@]*@", "//"));
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("not a URL", e);
    }
  }
}
