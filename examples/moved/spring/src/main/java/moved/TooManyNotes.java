package moved;

public class TooManyNotes extends RuntimeException {
  final int limit;

  public TooManyNotes(int limit) {
    super("There are " + limit + " notes already");
    this.limit = limit;
  }
}
