package io.bloomgate.gateway.page;

import com.sun.net.httpserver.HttpExchange;
import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request of a browser and its answer, with the bounds and the headers that all pages
 * have. Used by the thread of the request.
 */
final class Exchange {

  static final String HTML = "text/html; charset=utf-8";
  static final String TEXT = "text/plain; charset=utf-8";

  /** Characters of path and query. */
  private static final int MAX_ADDRESS = 4096;

  /** Octets of a form. */
  private static final int MAX_FORM = 16_384;

  private static final String POLICY =
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

  private final HttpExchange http;

  Exchange(HttpExchange http) {
    this.http = http;
  }

  /** An answer that is an error; the text is for the person at the browser. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int status;

    RefusedException(int status, String why) {
      super(why);
      this.status = status;
    }

    int status() {
      return status;
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }

  String path() {
    return String.valueOf(http.getRequestURI().getPath());
  }

  /** Path and query as they came, for a way back after the login. */
  String address() {
    return String.valueOf(http.getRequestURI());
  }

  Params query() {
    return Params.parse(http.getRequestURI().getRawQuery());
  }

  IpAddress client() {
    return IpAddress.of(http.getRemoteAddress().getAddress());
  }

  @Nullable String header(String name) {
    return http.getRequestHeaders().getFirst(name);
  }

  boolean isPost() {
    return http.getRequestMethod().equals("POST");
  }

  /** Refuses methods and addresses that no page has. */
  void check() throws RefusedException {
    String method = http.getRequestMethod();
    if (!isPost() && !method.equals("GET") && !method.equals("HEAD")) {
      http.getResponseHeaders().set("Allow", "GET, HEAD, POST");
      throw new RefusedException(405, "this method is not known here");
    }
    if (address().length() > MAX_ADDRESS) {
      throw new RefusedException(414, "the address has more than " + MAX_ADDRESS + " characters");
    }
  }

  /** The form that was sent. */
  Params form() throws IOException, RefusedException {
    String type = header("Content-Type");
    if (type == null
        || !type.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded")) {
      throw new RefusedException(415, "a form is expected: application/x-www-form-urlencoded");
    }
    byte[] octets = http.getRequestBody().readNBytes(MAX_FORM + 1);
    if (octets.length > MAX_FORM) {
      throw new RefusedException(413, "a form has at most " + MAX_FORM + " octets");
    }
    return Params.parse(new String(octets, StandardCharsets.US_ASCII));
  }

  /** The value of a cookie. */
  Optional<String> cookie(String name) {
    for (String all : http.getRequestHeaders().getOrDefault("Cookie", java.util.List.of())) {
      for (String one : all.split(";", -1)) {
        String[] parts = one.strip().split("=", 2);
        if (parts.length == 2 && parts[0].equals(name)) {
          return Optional.of(parts[1]);
        }
      }
    }
    return Optional.empty();
  }

  void setHeader(String name, String value) {
    http.getResponseHeaders().set(name, value);
  }

  /** Sends the browser to another page of ours, which it asks for with GET. */
  void redirect(String to) throws IOException {
    setHeader("Location", to);
    send(303, TEXT, "see " + to + "\n");
  }

  /** Sends a file that is beside this class. */
  void sendFile(String type, String name) throws IOException {
    try (InputStream in = Exchange.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing in the jar");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      send(200, type + "; charset=utf-8", text);
    }
  }

  void send(int status, String type, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    setHeader("Content-Type", type);
    setHeader("Cache-Control", "no-store");
    setHeader("Content-Security-Policy", POLICY);
    setHeader("X-Content-Type-Options", "nosniff");
    setHeader("X-Frame-Options", "DENY");
    // With no-referrer a browser hides its Origin from our own forms, too, which we check.
    setHeader("Referrer-Policy", "same-origin");
    setHeader("Cross-Origin-Opener-Policy", "same-origin");
    setHeader("Cross-Origin-Resource-Policy", "same-origin");
    if (http.getRequestMethod().equals("HEAD")) {
      http.sendResponseHeaders(status, -1);
      return;
    }
    http.sendResponseHeaders(status, body.length);
    http.getResponseBody().write(body);
  }

  /**
   * The names and values of a query or a form, of which the last of a name counts. Immutable.
   *
   * @param values without those that are empty
   */
  record Params(Map<String, String> values) {

    /** Fields of one form at most; more are ignored. */
    private static final int MAX_FIELDS = 32;

    /** Characters of one value; more are cut off. */
    private static final int MAX_VALUE = 1000;

    /** Reads {@code application/x-www-form-urlencoded}; what cannot be read is left out. */
    static Params parse(@Nullable String encoded) {
      Map<String, String> values = new LinkedHashMap<>();
      if (encoded != null) {
        for (String field : encoded.split("&", MAX_FIELDS + 1)) {
          int equals = field.indexOf('=');
          if (equals > 0 && values.size() < MAX_FIELDS) {
            put(values, field.substring(0, equals), field.substring(equals + 1));
          }
        }
      }
      return new Params(values);
    }

    private static void put(Map<String, String> values, String name, String value) {
      try {
        String text = URLDecoder.decode(value, StandardCharsets.UTF_8).strip();
        text = text.length() > MAX_VALUE ? text.substring(0, MAX_VALUE) : text;
        if (!text.isEmpty()) {
          values.put(URLDecoder.decode(name, StandardCharsets.UTF_8), text);
        }
      } catch (IllegalArgumentException e) {
        values.remove(name); // a percent sign without two digits
      }
    }

    /** A value; empty when there is none. */
    String text(String name) {
      return values.getOrDefault(name, "");
    }

    /** A value; {@code null} when there is none. */
    @Nullable String orNull(String name) {
      return values.get(name);
    }

    /** The query of an address with these values, and others in place of some. */
    String with(Map<String, String> others) {
      Map<String, String> all = new TreeMap<>(values);
      all.putAll(others);
      return all.entrySet().stream()
          .map(one -> Show.query(one.getKey()) + "=" + Show.query(one.getValue()))
          .collect(Collectors.joining("&"));
    }

    boolean has(String name) {
      return values.containsKey(name);
    }
  }
}
