package io.bloomgate.blocklists.filter;

/**
 * A filter cannot be built as asked: the kind does not reach the rate, the filter is too large, or
 * it is full. The message is one sentence for the operator and names what to ask for instead.
 */
public final class FilterBuildException extends Exception {

  private static final long serialVersionUID = 1;

  public FilterBuildException(String message) {
    super(message);
  }
}
