open math
